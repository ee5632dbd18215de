import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import pLimit from 'p-limit';
import type { CallerSide, FetcherSide } from '../relay/relay-store.ts';
import type { Around } from '../simulation/port-calls.ts';

const compress = promisify(gzip);
/** About as long as the token that a call carries. */
const token = 'x'.repeat(600);
/** As `timeoutMilliseconds` in functions/wiring.ts. */
const waitMilliseconds = 8_000;

/** Stands around calls of the controller: takes each over the relay's store, as between two sides that are prompt. */
export function overRelay(sides: { caller: CallerSide; fetcher: FetcherSide; now: () => number }): Around {
  const { caller, fetcher, now } = sides;
  // As one fetcher does: it takes all that is there, before it asks for more.
  const oneByOne = pLimit(1);
  return async (call, effect) => {
    const request = { method: 'PUT', target: `/v1/${call.method}`, headers: { authorization: token } };
    const body = JSON.stringify(call.arguments);
    const id = await caller.leave({ ...request, body }, now() + waitMilliseconds);
    await oneByOne(async () => fetcher.take(await fetcher.begin(now()), now()));
    const answer = await effect();
    await fetcher.answer(id, { status: 200, body: await compress(JSON.stringify(answer ?? null)) }, now());
    await caller.answerTo(id);
    return answer;
  };
}
