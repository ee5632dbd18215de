import type { ControllerConfig } from '../shared/config/derive.ts';
import type { JobsAnswer } from '../shared/contracts/jobs.ts';
import type { Instant } from '../shared/domain/model.ts';
import { ClusterController } from './cluster-controller.ts';
import { ReferenceCluster } from './reference/cluster.ts';
import type { Job } from './reference/job.ts';
import type { ResourceStatistics } from './reference/resource-tokens.ts';
import type { ReferenceChange, ReferenceState, Saved } from './state.ts';

/** The controller of a reference cluster: the same behind HTTP as in a simulation. */
export class ReferenceController extends ClusterController<ReferenceCluster> {
  readonly #keep: (change: ReferenceChange) => void;

  /** Starts at `now`, from what was `saved`. `keep` makes a change durable; where it throws, nothing has changed. */
  constructor(options: {
    config: ControllerConfig;
    now: Instant;
    saved?: Saved<ReferenceState, ReferenceChange>;
    keep?: (change: ReferenceChange) => void;
  }) {
    const { config, now, saved, keep = () => {} } = options;
    super(config, (onNeed) => new ReferenceCluster(config, onNeed), keep);
    this.#keep = keep;
    if (saved?.state !== undefined) {
      this.restore(saved.state);
      this.cluster.restore(saved.state.cluster, saved.state.at);
    }
    saved?.changes.forEach((change) => this.#remake(change));
    this.advance(now);
    this.make({ kind: 'started', at: this.now });
  }

  /**
   * All of the jobs or, where one cannot be taken, none. A job whose id the cluster has already is passed over, so that
   * a submit may be repeated. Throws `UnknownResourceError`.
   */
  submit(jobs: readonly Job[], now: Instant): JobsAnswer {
    this.advance(now);
    const added = [...new Map(jobs.map((job) => [job.id, job])).values()].filter(({ id }) => !this.cluster.has(id));
    const unsatisfiable = added.filter((job) => !this.cluster.isSatisfiable(job)).map(({ id }) => id);
    if (added.length > 0) {
      const change = { kind: 'submitted', at: this.now, jobs: added } as const;
      this.#keep(change);
      this.#remake(change);
    }
    return { submitted: added.length, unsatisfiable };
  }

  /** When something happens next without a call from outside. */
  override nextEventAt(): Instant | undefined {
    const next = Math.min(super.nextEventAt() ?? Infinity, this.cluster.nextEventAt() ?? Infinity);
    return next === Infinity ? undefined : next;
  }

  /** How many jobs could not start when they arrived, so far: when it has grown, demand has begun to wait. */
  get waitsBegun(): number {
    return this.cluster.waitsBegun;
  }

  /** Jobs that need more than a resource's ceiling. */
  unsatisfiable(): readonly Job[] {
    return this.cluster.unsatisfiable();
  }

  /** Statistics by resource, once, at the end of a simulation. */
  finish(now: Instant): ReadonlyMap<string, ResourceStatistics> {
    this.advance(now);
    return this.cluster.finish(this.now);
  }

  override state(): ReferenceState {
    return { ...super.state(), cluster: this.cluster.state() };
  }

  /** Makes a change that has been kept. */
  #remake(change: ReferenceChange): void {
    if (change.kind === 'submitted') {
      this.advance(change.at);
      this.cluster.submit(change.jobs, this.now);
    } else {
      this.apply(change);
    }
  }
}
