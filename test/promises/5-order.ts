import { isNewer } from '../../shared/domain/ledger.ts';
import type { TotalUpdate } from '../../shared/ports.ts';
import type { BrokenWords } from './broken-words.ts';
import { breaker, isApplied, type Check } from './check.ts';

const broken = breaker(5, 'order');

/** (epoch, sequence) of accepted totals only grows; an update that is not newer, or not accepted, changes nothing. */
export function order(words: BrokenWords): Check {
  const accepted = new Map<string, TotalUpdate>();
  return {
    answered({ call, answer, before, sent }) {
      if (call.method !== 'setTotal') return;
      const [update] = call.arguments;
      const { resource, epoch, sequence, total } = update;
      if (isApplied(answer) && words.fellBack.has(resource)) {
        const forgotten = accepted.get(resource);
        // What it takes meanwhile may be older than what it has forgotten.
        if (forgotten !== undefined && isNewer(forgotten, update)) return;
        words.fellBack.delete(resource);
        accepted.delete(resource);
      }
      const last = accepted.get(resource);
      const stamp = `${resource} (${epoch}, ${sequence})`;
      const hasChanged = before.controller.get(resource)?.total !== sent.controller.get(resource)?.total;
      if (!isApplied(answer)) {
        if (hasChanged) broken(before.at, `${stamp} was not accepted and changed the total`);
      } else if (last === undefined || isNewer(update, last)) {
        accepted.set(resource, update);
      } else if (isNewer(last, update)) {
        broken(before.at, `${stamp} was accepted after (${last.epoch}, ${last.sequence})`);
      } else if (hasChanged || last.total !== total) {
        broken(before.at, `${stamp} was accepted twice, with totals ${last.total} and ${total}`);
      }
    },
  };
}
