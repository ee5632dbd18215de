import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Events } from '../../ports.ts';
import { clientConfig, type Environment } from '../aws-client.ts';

/** Who puts the events on the bus; rules match it. */
export const eventSource = 'elastic-shared-resources';
/** What a rule matches; the detail holds the site's name and nothing that anybody decides from. */
export type EventType = 'DemandWaits' | 'TotalChanged';

/** The bus did not take an event. */
export class EventRejected extends Error {
  override readonly name = 'EventRejected';

  constructor(type: EventType, bus: string, why: string) {
    super(`putting ${type} on the bus ${bus}: ${why}`);
  }
}

export class EventBridgeEvents implements Events {
  readonly #client: EventBridgeClient;
  readonly #bus: string;
  readonly #site: string;

  constructor({ client, bus, site }: { client: EventBridgeClient; bus: string; site: string }) {
    this.#client = client;
    this.#bus = bus;
    this.#site = site;
  }

  demandWaits(): Promise<void> {
    return this.#put('DemandWaits');
  }

  totalChanged(): Promise<void> {
    return this.#put('TotalChanged');
  }

  async #put(type: EventType): Promise<void> {
    const entry = {
      EventBusName: this.#bus,
      Source: eventSource,
      DetailType: type,
      Detail: JSON.stringify({ site: this.#site }),
    };
    const { Entries } = await this.#client.send(new PutEventsCommand({ Entries: [entry] }));
    // A rejected entry is no error of the call.
    const failed = Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
    if (failed !== undefined) throw new EventRejected(type, this.#bus, `${failed.ErrorCode}: ${failed.ErrorMessage}`);
  }
}

/** At another bus where the environment names one (`AWS_ENDPOINT_URL_EVENTBRIDGE`). */
export function eventBridgeClient(environment: Environment): EventBridgeClient {
  return new EventBridgeClient(clientConfig(environment, 'AWS_ENDPOINT_URL_EVENTBRIDGE'));
}
