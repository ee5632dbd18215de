import { describe, expect, it } from 'vitest';
import type { Observation } from '../../shared/domain/model.ts';
import { ControllerView } from '../../shared/status/controller-view.ts';
import { start, TestClock } from './test-clock.ts';

/** A controller whose answers come when the test says so. */
function slowController() {
  const clock = new TestClock();
  const answers: ((observation: Observation) => void)[] = [];
  const warnings: unknown[] = [];
  const view = new ControllerView({
    controller: { observe: () => new Promise((answer) => void answers.push(answer)) },
    clock,
    log: { info: () => {}, warn: (_message, fields) => void warnings.push(fields), alarm: () => {} },
  });
  return { clock, answers, warnings, view };
}

const observation: Observation = { receivedAt: start, resources: [], waiting: [] };

describe('the view of the controller', () => {
  it('is its answer', async () => {
    const { answers, view } = slowController();
    const looking = view.get();
    answers[0]?.(observation);
    expect(await looking).toEqual({ heard: true, observation });
  });

  it('keeps nobody waiting for a controller that does not answer, and says why in the log', async () => {
    const { clock, view, warnings } = slowController();
    const looking = view.get();
    clock.advance(3_000);
    expect(await looking).toEqual({ heard: false });
    expect(warnings).toEqual([{ error: 'Error: no answer within 3000 ms' }]);
  });

  it('remembers an answer that came too late', async () => {
    const { clock, answers, view } = slowController();
    const looking = view.get();
    clock.advance(3_000);
    await looking;
    answers[0]?.(observation);
    const again = view.get();
    clock.advance(3_000);
    expect(await again).toEqual({ heard: false, observation });
  });
});
