import { describe } from 'vitest';
import { MemoryDemandWindow } from '../../../shared/adapters/memory/demand-window.ts';
import { demandWindowContract } from '../dynamodb/demand-window-contract.ts';

describe('MemoryDemandWindow', () => {
  demandWindowContract(() => new MemoryDemandWindow(), 1_000);
});
