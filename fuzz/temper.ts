import type { Draw } from './draw.ts';
import { callFaults, eventFaults, troubles, type CallFault, type EventFault, type Trouble } from './fault-kinds.ts';

/**
 * How one seed treats its site. Each seed allows only some kinds of faults: a run in which everything happens all the
 * time hides what needs a quiet stretch between two faults (swarm testing, Groce et al. 2012).
 */
export interface Temper {
  readonly instances: number;
  /** Share of calls to which something happens. */
  readonly callFaultRate: number;
  readonly callFaults: readonly CallFault[];
  /** Share of triggers to which something happens. */
  readonly eventFaultRate: number;
  readonly eventFaults: readonly EventFault[];
  /** Share of steps that bring trouble. */
  readonly troubleRate: number;
  readonly troubles: readonly Trouble[];
  /** Share of passes and pushes that run through without a stop. */
  readonly smoothRate: number;
  /** Share of steps that bring jobs. */
  readonly jobRate: number;
}

export function drawTemper(draw: Draw): Temper {
  const some = <Kind>(kinds: readonly Kind[]): Kind[] => {
    const share = draw.of(0.2, 0.5, 1);
    return kinds.filter(() => draw.happens(share));
  };
  return {
    instances: draw.between(1, 3),
    callFaultRate: draw.of(0, 0.03, 0.1, 0.25),
    callFaults: some(callFaults),
    eventFaultRate: draw.of(0, 0.1, 0.3),
    eventFaults: some(eventFaults),
    troubleRate: draw.of(0, 0.01, 0.03, 0.08),
    troubles: some(troubles),
    smoothRate: draw.of(0.2, 0.5, 0.8),
    jobRate: draw.of(0.02, 0.05),
  };
}
