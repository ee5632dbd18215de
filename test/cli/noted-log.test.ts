import { describe, expect, it } from 'vitest';
import { NotedLog } from '../../cli/noted-log.ts';
import { JsonLog } from '../../shared/adapters/json-log.ts';

describe('a log that is watched', () => {
  it('passes everything on, and remembers the last thing that went wrong', () => {
    const lines: string[] = [];
    const log = new NotedLog(new JsonLog((line) => lines.push(line)));
    log.info('looked');
    expect(log.trouble).toBeUndefined();
    log.warn('reconcile failed', { error: 'Error: no space left' });
    expect(log.trouble).toBe('reconcile failed: Error: no space left');
    log.alarm('grant-lost', 'hfsshpc: burst lends 0 of 8');
    expect(log.trouble).toBe('hfsshpc: burst lends 0 of 8');
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['INFO', 'WARN', 'ALARM']);
  });

  it('lets no control characters through to the terminal', () => {
    const log = new NotedLog(new JsonLog(() => {}));
    log.warn('asking a provider failed', { error: 'its name is \u001b[2J\n' });
    expect(log.trouble).toBe('asking a provider failed: its name is  [2J ');
  });
});
