/** The controller contract's messages and the core's data, both ways. Times are RFC 3339 there and instants here. */
import { maxSeconds, maxTokens } from '../../contracts/common.ts';
import { maxWaitingClasses, type SharedResources, type TotalDocument } from '../../contracts/controller.ts';
import type { Instant, Observation } from '../../domain/model.ts';
import type { TotalUpdate } from '../../ports.ts';

/**
 * `observation` is one that the controller itself made: its `receivedAt` is the controller's time. Jobs may want more
 * tokens, or wait longer, than the contract can say; it is then told its most, which no decision tells from more.
 */
export function toSharedResources(site: string, controllerEpoch: number, observation: Observation): SharedResources {
  const { receivedAt, resources, waiting } = observation;
  return {
    site,
    controllerEpoch,
    at: toText(receivedAt),
    resources: resources.map(({ observed, recentPeaks, ...resource }) => ({
      ...resource,
      ...(observed === undefined
        ? {}
        : {
            observed: {
              inUse: observed.inUse,
              issued: observed.issued,
              at: toText(receivedAt - observed.ageSeconds * 1000),
            },
          }),
      recentPeaks: {
        bucketSeconds: recentPeaks.bucketSeconds,
        needs: recentPeaks.needs.map((need) => (need === null ? null : Math.min(need, maxTokens))),
      },
    })),
    waiting: waiting
      .slice(0, maxWaitingClasses)
      .map(({ waitingSeconds, ...rest }) => ({ ...rest, waitingSeconds: Math.min(waitingSeconds, maxSeconds) })),
  };
}

/** Ages are counted by the clock of the controller alone, so it does not matter whether ours agrees. */
export function toObservation(message: SharedResources, receivedAt: Instant): Observation {
  const answeredAt = Date.parse(message.at);
  return {
    receivedAt,
    resources: message.resources.map(({ observed, ...resource }) => ({
      ...resource,
      ...(observed === undefined
        ? {}
        : {
            observed: {
              inUse: observed.inUse,
              issued: observed.issued,
              ageSeconds: Math.max(answeredAt - Date.parse(observed.at), 0) / 1000,
            },
          }),
    })),
    waiting: message.waiting,
  };
}

export function toTotalDocument(site: string, update: TotalUpdate): TotalDocument {
  return {
    ...update,
    site,
    expiries: update.expiries.map(({ at, tokens }) => ({ at: toText(at), tokens })),
    issuedAt: toText(update.issuedAt),
  };
}

export function toTotalUpdate(document: TotalDocument): TotalUpdate {
  const { resource, owned, borrowed, total, epoch, sequence } = document;
  return {
    resource,
    owned,
    borrowed,
    total,
    epoch,
    sequence,
    expiries: document.expiries.map(({ at, tokens }) => ({ at: Date.parse(at), tokens })),
    issuedAt: Date.parse(document.issuedAt),
  };
}

function toText(instant: Instant): string {
  return new Date(instant).toISOString();
}
