import { ReferenceController } from '../../onprem/controller.ts';
import type { Job } from '../../onprem/reference/job.ts';
import type { ControllerConfig } from '../../shared/config/derive.ts';
import type { Instant } from '../../shared/domain/model.ts';
import type { TotalUpdate } from '../../shared/ports.ts';

export const start: Instant = Date.parse('2026-03-02T09:00:00Z');
export const second = 1000;
export const minute = 60 * second;

/** Elastic resources that own 10 tokens and can have 30. */
export function configOf(...names: string[]): ControllerConfig {
  return {
    site: 'munich',
    backfill: true,
    resources: names.map((name) => ({ name, owned: 10, ceiling: 30, elastic: true })),
  };
}

export function newController(config = configOf('hfsshpc')): ReferenceController {
  return new ReferenceController({ config, now: start });
}

export function job(id: string, needs: Record<string, number>, over: Partial<Job> = {}): Job {
  return { id, submit: start, needs, runSeconds: 3_600, ...over };
}

/** A total of 20 of hfsshpc, half of it borrowed, by the first owner of the totals lease. */
export function update(over: Partial<TotalUpdate> = {}): TotalUpdate {
  const { owned = 10, borrowed = 10 } = over;
  return {
    resource: 'hfsshpc',
    owned,
    borrowed,
    total: owned + borrowed,
    epoch: 1,
    sequence: 1,
    expiries: [],
    issuedAt: start,
    ...over,
  };
}
