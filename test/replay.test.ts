import { beforeAll, describe, expect, it } from 'vitest';
import { loadSiteFile, type LoadedSite } from '../shared/config/load.ts';
import type { Change, HistoryEntry } from '../shared/domain/model.ts';
import type { PassRecord } from '../shared/domain/pass-record.ts';
import type { HistoryStore } from '../shared/ports.ts';
import { replay } from '../shared/replay.ts';
import { drive } from '../shared/simulation/drive.ts';
import { horizon } from '../shared/simulation/simulate.ts';
import { SimulatedSite } from '../shared/simulation/simulated-site.ts';
import { openTrace } from '../shared/traces/open.ts';
import { collect } from './traces/support.ts';

let site: LoadedSite;
let store: HistoryStore;
let entries: readonly HistoryEntry[];

beforeAll(async () => {
  site = await loadSiteFile('examples/site.yaml');
  const { jobs } = await openTrace('examples/workload.jsonl');
  const { from, to } = horizon(jobs);
  const world = new SimulatedSite(site, from);
  await drive(world, { jobs, from, to, tickSeconds: 60 });
  store = world.store;
  entries = await collect(store.history('hfsshpc'));
});

/** The history of hfsshpc and the passes, changed on their way. */
function changed(change: {
  history?: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[];
  pass?: (record: PassRecord) => PassRecord | undefined;
}): HistoryStore {
  const { history = (all) => all, pass = (record) => record } = change;
  return {
    async *history(resource) {
      if (resource === 'hfsshpc') yield* history(entries);
      else yield* store.history(resource);
    },
    async pass(id) {
      const record = await store.pass(id);
      return record && pass(record);
    },
  };
}

const replayed = (tampered: HistoryStore) => replay(tampered, site.policy, site.policyDigest);

describe('a replay', () => {
  it('finds everything again that was recorded', async () => {
    const { difference, ...counts } = await replayed(store);
    expect(difference).toBeUndefined();
    const other = await collect(store.history('hfss_solve'));
    const all = [...other, ...entries];
    expect(counts).toEqual({
      entries: all.length,
      decisions: all.filter(({ by }) => by === 'decide').length,
      totals: new Set(all.map(({ resource, target }) => `${resource} ${target.sequence}`)).size,
    });
    expect(counts.decisions).toBeGreaterThan(10);
  });

  it('finds each entry whose target has been changed', async () => {
    for (const { version, target } of entries) {
      const tampered = changed({
        history: withEntry(version, { target: { ...target, borrowed: target.borrowed + 8 } }),
      });
      const { difference } = await replayed(tampered);
      expect(difference).toMatchObject({ resource: 'hfsshpc', version, what: 'the ledger after this write' });
      expect(difference?.recorded).toContain(`"borrowed":${target.borrowed + 8}`);
      expect(difference?.replayed).toContain(`"borrowed":${target.borrowed}`);
    }
  });

  it.each<[string, Change['kind'], (change: Change) => Change]>([
    ['borrowed more', 'borrow', (change) => ({ ...change, ...('tokens' in change && { tokens: change.tokens + 8 }) })],
    ['withdrew for another reason', 'withdraw', (change) => ({ ...change, reason: 'somebody wanted it' })],
    ['granted more than was asked', 'granted', (change) => ({ ...change, ...('tokens' in change && { tokens: 96 }) })],
    ['returned another grant', 'returned', (change) => ({ ...change, ...('grant' in change && { grant: 'other' }) })],
  ])('finds an entry that says that it %s', async (_what, kind, change) => {
    const entry = entries.find(({ changes }) => changes.some((one) => one.kind === kind));
    if (entry === undefined) throw new Error(`nothing of kind ${kind} was recorded`);
    const changes = entry.changes.map((one) => (one.kind === kind ? change(one) : one));
    const { difference } = await replayed(changed({ history: withEntry(entry.version, { changes }) }));
    expect(difference).toMatchObject({ resource: 'hfsshpc', version: entry.version });
    expect(difference?.recorded).not.toBe(difference?.replayed);
  });

  it('finds that an entry is missing', async () => {
    const [, second, third] = entries;
    const { difference } = await replayed(
      changed({ history: (all) => all.filter(({ version }) => version !== second?.version) }),
    );
    expect(difference).toMatchObject({ resource: 'hfsshpc', version: third?.version });
  });

  it('finds that a pass saw something else than was recorded', async () => {
    const { difference } = await replayed(
      changed({
        pass: ({ observation, ...pass }) => ({
          ...pass,
          ...(observation && { observation: { ...observation, waiting: [] } }),
        }),
      }),
    );
    expect(difference).toMatchObject({ what: 'the decision' });
  });

  it('finds that what a pass saw is not recorded', async () => {
    const { difference } = await replayed(changed({ pass: () => undefined }));
    expect(difference).toMatchObject({ what: 'what the pass saw', replayed: 'not recorded' });
  });

  it('finds that the site file is another one', async () => {
    const { difference } = await replay(store, site.policy, 'another digest');
    expect(difference).toMatchObject({
      what: 'the policy of the site file',
      recorded: site.policyDigest,
      replayed: 'another digest',
    });
  });

  it('decides otherwise under another policy, even where that is passed off as the same', async () => {
    const resources = site.policy.resources.map((policy) => ({ ...policy, maxStep: 8 }));
    const { difference } = await replay(store, { ...site.policy, resources }, site.policyDigest);
    expect(difference).toMatchObject({ what: 'the decision' });
  });
});

function withEntry(version: number, over: Partial<HistoryEntry>) {
  return (all: readonly HistoryEntry[]) =>
    all.map((entry) => (entry.version === version ? { ...entry, ...over } : entry));
}
