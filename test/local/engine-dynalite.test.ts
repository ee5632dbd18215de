import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../../shared/local/engine.ts';
import { EngineError } from '../../shared/local/engine-error.ts';
import { tablesOf } from './engine-data.ts';
import { EngineFixture } from './engine-fixture.ts';

describe('dynalite', () => {
  const fixture = new EngineFixture();

  it('says that another engine uses its directory', async () => {
    const { directory } = fixture;
    await fixture.start({ kind: 'dynalite', directory });
    const starting = startEngine({ kind: 'dynalite', directory });
    await expect(starting).rejects.toBeInstanceOf(EngineError);
    await expect(starting).rejects.toThrow(directory);
  });

  it('goes on when a client hangs up in the middle of a request', async () => {
    const engine = await fixture.start({ kind: 'dynalite' });
    const call = request(engine.endpoint, { method: 'POST', headers: { expect: '100-continue', 'content-length': 9 } });
    call.on('error', () => undefined).flushHeaders();
    await once(call, 'continue');
    call.destroy();
    expect(await tablesOf(engine)).toEqual([]);
  });
});
