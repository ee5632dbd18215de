import { describe, expect, it } from 'vitest';
import type { ResourceLedger } from '../../shared/domain/model.ts';
import { decisionFor, hour, ledgerOf, noon, policyOf, second, write } from './builders.ts';
import { asked, short } from './shortage.ts';

const policy = policyOf();
const ledger = ledgerOf(policy);

describe('after a refusal', () => {
  function refuse(before: ResourceLedger, at: number, retryAfterSeconds?: number): ResourceLedger {
    const grant = `refused${before.version}`;
    const terms = { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 };
    return write(
      before,
      at,
      { kind: 'borrow', grant, provider: 'burst', tokens: 10, terms, reason: '' },
      { kind: 'refused', grant, reason: '', ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
    );
  }

  /** Seconds for which the provider is left alone after so many refusals in a row. */
  function pauseAfter(refusals: number, retryAfterSeconds?: number): number {
    let refused = ledger;
    for (let index = 0; index < refusals; index += 1) refused = refuse(refused, noon, retryAfterSeconds);
    const isAsked = (seconds: number) => asked(policy, short(refused, 10, { now: noon + seconds * second })).length > 0;
    let low = 0;
    let high = 10 * 86_400;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (isAsked(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  it('the pause doubles with each refusal in a row, up to an hour', () => {
    expect([1, 2, 3, 4, 6, 7, 40].map((refusals) => pauseAfter(refusals))).toEqual([
      60, 120, 240, 480, 1920, 3600, 3600,
    ]);
  });

  it("the provider's own retryAfter holds where it is longer, up to a day", () => {
    expect(pauseAfter(1, 900)).toBe(900);
    expect(pauseAfter(1, 5)).toBe(60);
    expect(pauseAfter(1, 1e7)).toBe(86_400);
  });

  it('the note says when the provider is asked again', () => {
    expect(decisionFor(policy, short(refuse(ledger, noon), 10)).note).toBe(
      "1 job for 10 hfsshpc can't start: hfsshpc: burst had no more to lend and is asked again in 60 s",
    );
  });

  it('a full grant ends the series, a partial one continues it', () => {
    const terms = { block: 1, minimumHoldSeconds: 0, partialReturns: true, costPerTokenHour: 1 };
    const lend = (tokens: number) =>
      write(
        refuse(ledger, noon),
        noon + hour,
        { kind: 'borrow', grant: 'a', provider: 'burst', tokens: 10, terms, reason: '' },
        { kind: 'granted', grant: 'a', tokens, terms, sentAt: noon, receivedAt: noon, reason: '' },
      );
    expect(lend(10).backoffs).toEqual({});
    expect(lend(9).backoffs).toEqual({ burst: { refusals: 2, until: noon + hour + 120 * second } });
  });
});
