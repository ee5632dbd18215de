import { describe } from 'vitest';
import { MemoryPoolStore } from '../../shared/pool/memory-store.ts';
import { poolStoreContract } from './store-contract.ts';

describe('MemoryPoolStore', () => {
  poolStoreContract(() => new MemoryPoolStore());
});
