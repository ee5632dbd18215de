import type { Instant, SitePolicy } from '../../shared/domain/model.ts';
import type { HistoryStore, TotalUpdate } from '../../shared/ports.ts';
import { replay } from '../../shared/replay.ts';
import { breaker, isApplied, type Check } from './check.ts';

const broken = breaker(9, 'same totals live and simulated');

/** Remembers what the controller accepted, to compare it with what a replay of the recorded history comes to. */
export class AcceptedTotals implements Check {
  readonly #accepted = new Map<string, string>();

  answered({ call, answer }: Parameters<NonNullable<Check['answered']>>[0]): void {
    if (call.method !== 'setTotal' || !isApplied(answer)) return;
    const [update] = call.arguments;
    this.#accepted.set(keyOf(update.resource, update), numbersOf(update));
  }

  /** A replay makes every recorded step again, byte for byte, and each confirmed total is one that was accepted. */
  async areReplayed(store: HistoryStore, policy: SitePolicy, policyDigest: string, at: Instant): Promise<void> {
    const { difference } = await replay(store, policy, policyDigest);
    if (difference !== undefined) {
      const { resource, version, what, recorded, replayed } = difference;
      broken(at, `${resource} version ${version}, ${what}: recorded ${recorded}, replayed ${replayed}`);
    }
    for (const { resource } of policy.resources) {
      for await (const { confirmed, target } of store.history(resource)) {
        const accepted = this.#accepted.get(keyOf(resource, target));
        if (confirmed && accepted !== numbersOf(target)) {
          broken(at, `${resource}: ${numbersOf(target)} is recorded as confirmed, the controller accepted ${accepted}`);
        }
      }
    }
  }
}

function keyOf(resource: string, { epoch, sequence }: Pick<TotalUpdate, 'epoch' | 'sequence'>): string {
  return `${resource} ${epoch} ${sequence}`;
}

function numbersOf({ owned, borrowed }: Pick<TotalUpdate, 'owned' | 'borrowed'>): string {
  return `${owned} + ${borrowed}`;
}
