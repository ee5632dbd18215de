import { GatewayController } from '../../../onprem/gateway/controller.ts';
import type { GatewayChange, GatewayState } from '../../../onprem/gateway/state.ts';
import { JsonLog } from '../../../shared/adapters/json-log.ts';
import type { TotalUpdate } from '../../../shared/ports.ts';
import type { TotalAnswer } from '../../../onprem/cluster-controller.ts';
import { ManualClock } from '../manual-clock.ts';
import { configOf, update } from '../support.ts';
import { HastyScheduler } from './hasty-scheduler.ts';

const elastic = configOf('hfsshpc');
const config = {
  ...elastic,
  resources: [...elastic.resources, { name: 'fixed', owned: 4, ceiling: 4, elastic: false }],
};

/** A gateway of hfsshpc, of which it owns 10 tokens and can have 30, with a scheduler that shows the owned ones. */
export class GatewayUnderTest {
  readonly clock = new ManualClock();
  readonly scheduler: HastyScheduler;
  readonly warnings: string[] = [];
  /** What is on the disk. */
  readonly kept: GatewayChange[] = [];
  waitsTold = 0;
  /** Thrown by the next attempt to keep a change. */
  diskFault: Error | undefined;
  controller: GatewayController;
  #state: GatewayState | undefined;

  constructor() {
    this.scheduler = new HastyScheduler({ hfsshpc: 10, fixed: 4 }, this.clock);
    this.controller = this.#start();
  }

  /** The process is gone; another one starts from what is on the disk. */
  restart(): void {
    this.controller = this.#start();
  }

  /** The disk then holds the state, and none of the changes that led to it. */
  compact(): void {
    this.#state = structuredClone(this.controller.state());
    this.kept.length = 0;
  }

  setTotal(over: Partial<TotalUpdate>): Promise<TotalAnswer> {
    return this.controller.setTotal(update({ issuedAt: this.clock.now(), ...over }), this.clock.now());
  }

  async observed() {
    const { resources, waiting } = await this.controller.observe(600, this.clock.now());
    const [resource] = resources;
    if (resource === undefined) throw new Error('the gateway shows no resource');
    return { ...resource, waiting };
  }

  pass(seconds: number): void {
    this.clock.set(this.clock.now() + seconds * 1000);
  }

  #start(): GatewayController {
    return new GatewayController({
      config,
      scheduler: this.scheduler,
      clock: this.clock,
      log: new JsonLog((line) => this.warnings.push(line)),
      saved: { state: this.#state, changes: [...this.kept] },
      keep: (change) => {
        const fault = this.diskFault;
        this.diskFault = undefined;
        if (fault !== undefined) throw fault;
        this.kept.push(structuredClone(change));
      },
      onWaiting: () => (this.waitsTold += 1),
    });
  }
}
