import * as z from 'zod';
import { problem } from '../../contracts/common.ts';
import { belowInUse, staleTotal, totalApplied } from '../../contracts/controller.ts';
import type { TotalOutcome, TotalUpdate } from '../../ports.ts';
import { visible } from '../http/faults.ts';

const conflict = z.discriminatedUnion('type', [belowInUse, staleTotal]);

/** What the answer to a pushed total means. A refusal has changed nothing; an answer that is not understood may have. */
export function totalOutcome({ status, body }: { status: number; body: unknown }, update: TotalUpdate): TotalOutcome {
  if (status === 200) {
    const { data } = totalApplied.safeParse(body);
    const isOurs = data?.name === update.resource && data.epoch === update.epoch && data.sequence === update.sequence;
    if (isOurs) return { outcome: 'applied', total: data.total, inUse: data.inUse };
  }
  if (status === 409) {
    const { data } = conflict.safeParse(body);
    if (data?.type === 'below-in-use') return { outcome: 'below-in-use', inUse: data.inUse };
    if (data?.type === 'stale') return { outcome: 'stale', epoch: data.epoch, sequence: data.sequence };
  }
  const refused = problem.safeParse(body);
  const detail = `setting the total of ${update.resource}: answered ${status}, ${visible(refused.data?.detail ?? refused.data?.title ?? 'not by the contract')}`;
  return { outcome: refused.success && status >= 400 && status < 500 ? 'refused' : 'unknown', detail };
}
