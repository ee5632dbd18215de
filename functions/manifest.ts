/**
 * Every deployed function with what triggers it. Both the deployment and a local run are driven by this list, so what
 * runs on one machine is what runs in the cloud.
 */
import type { EventType } from '../shared/adapters/eventbridge/events.ts';
import type { Delivery } from '../shared/config/schema.ts';
import type { MakeHandler } from './host.ts';
import type { KeyVariable } from './wiring.ts';

export interface FunctionSpec {
  readonly name: string;
  /** Its file in this folder. */
  readonly entry: string;
  readonly load: () => Promise<{ readonly make: MakeHandler }>;
  /** Runs every so often. */
  readonly everySeconds?: number;
  readonly events: readonly EventType[];
  readonly routes: readonly Route[];
  /** An asynchronous call that takes longer is ended; the next pass finishes its work. */
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** What its code does with the site's items in the table. Its role allows that and no more; a test holds it to the code. */
  readonly tableActions: readonly TableAction[];
  /** The same of the calls to a controller that fetches them. */
  readonly relayActions?: readonly TableAction[];
  /** The events that it puts on the bus; its role allows no others. */
  readonly puts: readonly EventType[];
  /** The key that it signs calls with; they go on premises, so it runs in the site's network. */
  readonly signsWith?: KeyVariable;
  /** It calls the providers, so its role may assume the roles that the site file names for them. */
  readonly callsProviders?: boolean;
  /** Deployed only for sites with this delivery. */
  readonly onlyFor?: Delivery;
}

export type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem';

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** As API Gateway writes it: `{name}` is one segment, `{path+}` is the rest. */
  readonly path: string;
  /** `platform`: the API authenticates the caller (IAM or a JWT authorizer). `function`: the function checks the call's own signature. */
  readonly authentication: 'platform' | 'function';
}

export const functions: readonly FunctionSpec[] = [
  {
    name: 'reconcile',
    entry: 'reconcile.ts',
    load: () => import('./reconcile.ts'),
    everySeconds: 60,
    events: ['DemandWaits'],
    routes: [],
    timeoutSeconds: 55,
    memoryMegabytes: 512,
    tableActions: ['GetItem', 'Query', 'PutItem'],
    relayActions: ['GetItem', 'PutItem'],
    puts: ['TotalChanged'],
    signsWith: 'ESR_SITE_KEY',
    callsProviders: true,
  },
  {
    name: 'push-total',
    entry: 'push-total.ts',
    load: () => import('./push-total.ts'),
    events: ['TotalChanged'],
    routes: [],
    timeoutSeconds: 55,
    memoryMegabytes: 512,
    tableActions: ['GetItem', 'Query', 'PutItem'],
    relayActions: ['GetItem', 'PutItem'],
    puts: [],
    signsWith: 'ESR_PROVISIONER_KEY',
  },
  {
    name: 'demand',
    entry: 'demand.ts',
    load: () => import('./demand.ts'),
    events: [],
    routes: [{ method: 'POST', path: '/v1/demand', authentication: 'function' }],
    timeoutSeconds: 10,
    memoryMegabytes: 256,
    tableActions: ['GetItem', 'UpdateItem'],
    puts: ['DemandWaits'],
  },
  {
    name: 'freeze',
    entry: 'freeze.ts',
    load: () => import('./freeze.ts'),
    events: [],
    routes: [
      { method: 'PUT', path: '/v1/freeze', authentication: 'function' },
      { method: 'DELETE', path: '/v1/freeze', authentication: 'function' },
    ],
    timeoutSeconds: 10,
    memoryMegabytes: 256,
    tableActions: ['PutItem'],
    puts: [],
  },
  {
    name: 'relay',
    entry: 'relay.ts',
    load: () => import('./relay.ts'),
    events: [],
    // Before those of status, which would match the first as well.
    routes: [
      { method: 'GET', path: '/v1/relay', authentication: 'function' },
      { method: 'POST', path: '/v1/relay/{id}', authentication: 'function' },
    ],
    // Longer than a controller may let it wait (contracts/relay.ts).
    timeoutSeconds: 28,
    memoryMegabytes: 256,
    tableActions: [],
    relayActions: ['GetItem', 'Query', 'PutItem'],
    puts: [],
    onlyFor: 'pull',
  },
  {
    name: 'status',
    entry: 'status.ts',
    load: () => import('./status.ts'),
    events: [],
    routes: [{ method: 'GET', path: '/v1/{path+}', authentication: 'platform' }],
    timeoutSeconds: 20,
    memoryMegabytes: 256,
    tableActions: ['GetItem', 'Query'],
    relayActions: ['GetItem', 'PutItem'],
    puts: [],
    signsWith: 'ESR_SITE_KEY',
  },
];

/** Those that are deployed for a site with this delivery. */
export function functionsFor(delivery: Delivery): readonly FunctionSpec[] {
  return functions.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === delivery);
}
