import { Command, CommanderError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { registerCost } from '../../cli/commands/cost.ts';

const site = 'sites/austin.yaml';
const bill = z.object({
  site: z.string(),
  borrowsADay: z.number(),
  currency: z.string(),
  lines: z.array(z.object({ what: z.string(), cost: z.number(), variesWithUse: z.boolean() })),
  variesWithUse: z.number(),
  allIn: z.number(),
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the command prints. */
async function cost(...args: string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  const program = new Command('esr').exitOverride().configureOutput({ writeErr: () => undefined });
  registerCost(program);
  program.commands.forEach((command) => command.exitOverride().configureOutput({ writeErr: () => undefined }));
  await program.parseAsync(['cost', ...args], { from: 'user' });
  return write.mock.calls.map(([text]) => String(text)).join('');
}

describe('esr cost', () => {
  it('prints a line for each thing that is used, two sums, and what is left out', async () => {
    const text = await cost('--plan', site);
    for (const part of [
      'austin, 2 elastic, 0 borrows a day',
      'point-in-time',
      'what varies with use',
      'all in',
      'Left out',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('HTTP API calls');
  });

  it('prints the same as JSON, whose lines add up to the sums', async () => {
    const { lines, variesWithUse, allIn, ...rest } = bill.parse(JSON.parse(await cost('--plan', site, '--json')));
    expect(rest).toEqual({ site: 'austin', borrowsADay: 0, currency: 'USD' });
    const sum = (some: typeof lines): number => some.reduce((total, line) => total + line.cost, 0);
    expect(sum(lines)).toBeCloseTo(allIn, 10);
    expect(sum(lines.filter((line) => line.variesWithUse))).toBeCloseTo(variesWithUse, 10);
  });

  it('costs more with borrows', async () => {
    const idle = bill.parse(JSON.parse(await cost('--plan', site, '--json')));
    vi.restoreAllMocks();
    const busy = bill.parse(JSON.parse(await cost('--plan', site, '--borrows', '50', '--json')));
    expect(busy.variesWithUse).toBeGreaterThan(idle.variesWithUse);
    expect(busy.allIn - busy.variesWithUse).toBeCloseTo(idle.allIn - idle.variesWithUse, 10);
  });

  it.each(['-1', 'many', ''])('refuses %j borrows', async (number) => {
    await expect(cost('--plan', site, `--borrows=${number}`)).rejects.toThrow(CommanderError);
  });

  it('needs to be told of which site', async () => {
    await expect(cost()).rejects.toThrow(CommanderError);
  });
});
