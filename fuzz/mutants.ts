/**
 * Rules of the product, each broken on purpose. A mutant is a few words put in place of others while the sources are
 * bundled for it, so no source knows of mutants; where the words are gone, the bundle fails until the mutant follows.
 */

/** `find` must be in the file exactly once. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  /** The broken rule. */
  readonly name: string;
  readonly patches: readonly Patch[];
}

const domain = (file: string): string => `shared/domain/${file}.ts`;

export const mutants: readonly Mutant[] = [
  mutant('returns before the controller has confirmed', domain('calls'), [
    [
      `grant.return?.phase !== 'returning') return false;\n  if (grant.return.confirmedAt === undefined) return false;`,
      `grant.return === undefined) return false;`,
    ],
  ]),
  mutant('pushes before the grant is recorded', domain('grants'), [
    [`return grant.state === 'requested' ? 0 : grant.tokens - (grant`, `return grant.tokens - (grant`],
  ]),
  mutant('asks again under a new id', 'shared/pass/act.ts', [
    ['provider.request(grant.id, resource, tokens)', 'provider.request(`${grant.id}-${sentAt}`, resource, tokens)'],
  ]),
  mutant('leaves what is unknown out of the caps', domain('borrowable'), [
    [
      'const held = sumTokens(ledger.grants, heldTokens);',
      `const held = sumTokens(ledger.grants.filter(({ state }) => state !== 'requested'), heldTokens);`,
    ],
  ]),
  mutant('leaves what is unknown out of the maximum of a provider', domain('borrowable'), [
    [
      'const lent = sumTokens(grantsOf(provider, ledger.grants), heldTokens);',
      `const lent = sumTokens(grantsOf(provider, ledger.grants).filter(({ state }) => state !== 'requested'), heldTokens);`,
    ],
  ]),
  mutant('reads a gap as idle', domain('peaks'), [['if (bucket === null || bucket === undefined) {', 'if (false) {']]),
  mutant('compares no epoch with the lease', 'onprem/totals.ts', [
    ['if (update.epoch < leaseEpoch || !isNewer', 'if (!isNewer'],
  ]),
  mutant('compares no sequence', 'onprem/totals.ts', [
    ['|| !isNewer(update, state)) {', '|| update.epoch < state.epoch) {'],
  ]),
  mutant('lowers a total below what is in use', 'onprem/totals.ts', [
    ['if (update.total < inUse && update.total < effectiveTotal(state, inUse, now)) {', 'if (false) {'],
  ]),
  mutant('counts a lease from when the answer came', domain('outcomes'), [
    ['? grant.requestedAt : times.sentAt,', '? grant.requestedAt : times.receivedAt,'],
  ]),
  mutant('counts a renewed lease from when the answer came', domain('outcomes'), [
    [
      'leaseSeconds: outcome.leaseSeconds,\n    sentAt: times.sentAt,',
      'leaseSeconds: outcome.leaseSeconds,\n    sentAt: times.receivedAt,',
    ],
  ]),
  mutant('counts a minimum hold from when it was asked for', domain('changes'), [
    [
      'holdUntil: receivedAt + terms.minimumHoldSeconds * 1000,',
      'holdUntil: grant.requestedAt + terms.minimumHoldSeconds * 1000,',
    ],
  ]),
  mutant('ignores the minimum hold', domain('withdraw'), [
    [`grant.recall === undefined && !isHeldByMinimum(grant, now),`, `grant.recall === undefined,`],
  ]),
  mutant('lists before it reads the ledger', 'shared/pass/observe.ts', [
    [
      'const record = await ledger.read();',
      'const early = await readLists(ports, [...ports.providers.keys()]);\n  const record = await ledger.read();',
    ],
    ['readLists(ports, listsDue(ports, record)),', 'early,'],
  ]),
  mutant('writes without a condition', 'shared/adapters/dynamodb/partition.ts', [
    [`ConditionExpression: 'version = :previous',`, ''],
  ]),
  mutant('counts withdrawn tokens in the total', domain('ledger'), [
    [
      'const borrowed = sumTokens(draft.grants, countedTokens);',
      `const borrowed = sumTokens(draft.grants, ({ state, tokens }) => (state === 'requested' ? 0 : tokens));`,
    ],
  ]),
  {
    name: 'decides from an old look at the site',
    patches: [
      {
        file: 'shared/pass/observe.ts',
        find: '...(lease && observation && { observation }) };',
        replace:
          '...(lease && { observation: (Object(ports.listedAt).seen = observation ?? Object(ports.listedAt).seen) }) };',
      },
      {
        file: domain('decide'),
        find: 'observation !== undefined && now - observation.receivedAt < staleAfterSeconds * 1000;',
        replace: 'observation !== undefined;',
      },
    ],
  },
  mutant('spends what unknown requests may cost', domain('spending'), [
    ['sum += unsettledCost({ ...grant, settledAt: grant.requestedAt }, grant.tokens, periodStart(now, per), now);', ''],
    ['sum += grant.tokens * leastPrice(grant.terms, policy);', ''],
  ]),
  mutant('ignores the spending cap', domain('borrowable'), [
    ['cap === undefined ? Infinity : cap.amount - committedSpending(ledger, policy, now)', 'Infinity'],
  ]),
  mutant('ignores maxBorrowed', domain('borrowable'), [
    ['if (held >= policy.maxBorrowed) return', 'if (false) return'],
    ['tokens: policy.maxBorrowed - held, money', 'tokens: Infinity, money'],
  ]),
  mutant('gives back broken blocks', domain('withdraw'), [
    [
      'return partialReturns ? wholeBlocks(returnable, block) : 0;',
      'return partialReturns ? Math.max(0, returnable) : 0;',
    ],
  ]),
  {
    name: 'gives back parts of what is taken back whole',
    patches: [
      {
        file: domain('withdraw'),
        find: 'return partialReturns ? wholeBlocks(returnable, block) : 0;',
        replace: 'return wholeBlocks(Math.max(0, returnable), block);',
      },
      {
        file: domain('grants'),
        find: `return !terms.partialReturns || recall?.kind === 'lost';`,
        replace: `return recall?.kind === 'lost';`,
      },
    ],
  },
  mutant('ignores the lease', 'shared/reconcile.ts', [['if (seen.lease?.held === false) {', 'if (false) {']]),
  mutant('ignores linger', domain('calls'), [
    ['if (now < grant.return.confirmedAt + lingerSeconds * 1000 || observation', 'if (observation'],
  ]),
  mutant('acts on a write that it has lost', 'shared/pass/record-intent.ts', [
    [
      `if ((await store.write(previous, next)) === 'lost') return { ...nothingDone, again: true };`,
      'await store.write(previous, next);',
    ],
  ]),
  mutant('asks no provider whether it holds anything under an id that it abandons', 'shared/pass/act.ts', [
    [
      `if (grant.return === undefined) return { change: undefined };
      const outcome = await provider.giveBack(grant.id, grant.return.id, tokens);
      // It was granted`,
      `const outcome = { outcome: 'returned', tokens: 0 };
      // It was granted`,
    ],
  ]),
  mutant('takes no answer for a refusal', domain('outcomes'), [
    [
      `case 'pending':\n    case 'unknown':\n      return undefined;`,
      `case 'pending':\n    case 'unknown':\n      return { kind: 'refused', grant: grant.id, reason: '' };`,
    ],
  ]),
  mutant('does not see that the controller fell back', domain('upkeep'), [
    ['if (ledger.confirmed !== undefined && isNewer(ledger.confirmed, observed)) {', 'if (false) {'],
  ]),
  mutant('does not see that a grant is lost', domain('provider-lists'), [
    [
      `if (listed?.state !== 'lent' || listed.tokens < expected) {`,
      `if (listed?.state !== 'lent') return;\n  if (listed.tokens < expected) {`,
    ],
  ]),
  mutant('keeps a grant in the total up to its end', domain('limits'), [
    ['export const expiryMarginSeconds = 360;', 'export const expiryMarginSeconds = 0;'],
  ]),
  mutant('takes every stale answer for a confirmation', domain('outcomes'), [
    ['return isSame(outcome, ledger.target)\n', 'return true\n'],
  ]),
  mutant('uses the id of a return again', domain('withdraw'), [
    ['const returnId = `${grant.id}.r${now.toString(36)}-${ledger.version + 1}`;', 'const returnId = `${grant.id}.r`;'],
  ]),
  mutant('puts no history', 'shared/adapters/dynamodb/ledger-store.ts', [
    ['if (previous !== undefined) {', 'if (false) {'],
  ]),
  mutant('keeps no record of a pass', 'shared/pass/record-intent.ts', [
    ['await store.recordPass({ id: pass, at, epoch, ...world, basis, policyDigest });', ''],
  ]),
  mutant('drains to owned at the first silence', domain('withdraw'), [
    ['if (silentSeconds < policy.staleAfterSeconds) return;', ''],
  ]),
  mutant('lends again under an id that has ended', 'shared/pool/pool.ts', [
    [
      'const known = findGrant(shelf, id);\n      if (known',
      'const known = shelf.open.find((grant) => grant.id === id);\n      if (known',
    ],
  ]),
];

function mutant(name: string, file: string, changes: readonly (readonly [find: string, replace: string])[]): Mutant {
  return { name, patches: changes.map(([find, replace]) => ({ file, find, replace })) };
}
