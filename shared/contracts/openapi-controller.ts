/** The controller contract as OpenAPI: docs/openapi/controller.json. */
import * as z from 'zod';
import { identifier, isoTime, problem, resourceName, siteName } from './common.ts';
import {
  belowInUse,
  leaseGranted,
  leaseHeld,
  leaseRequest,
  observedReport,
  observedUse,
  observeQuery,
  recentPeaks,
  sharedResource,
  sharedResources,
  staleTotal,
  totalApplied,
  totalDocument,
  waitingClass,
} from './controller.ts';
import { bodyProblems, callProblems, signedBy, signedCall } from './openapi-signed.ts';
import { json, openApiDocument, problemAnswer, type Answer, type OpenApiDocument } from './openapi.ts';

/** JSON Schema's own example (Validation, section 8.6) describes a JWT in this way, as its header and payload. */
const signedTotal = z
  .string()
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  .meta({
    description: 'A compact JWS, signed by a provisioner of the site. It stands on its own, whoever sends it',
    contentMediaType: 'application/jose',
    contentSchema: {
      type: 'array',
      minItems: 2,
      prefixItems: [
        {
          type: 'object',
          properties: {
            alg: { const: 'EdDSA' },
            typ: { const: 'esr-total+jws' },
            kid: { type: 'string', description: 'RFC 7638 thumbprint of the key' },
          },
          required: ['alg', 'typ', 'kid'],
        },
        { $ref: '#/components/schemas/TotalDocument' },
      ],
    },
  });

const notElastic = problem.extend({ type: z.literal('not-elastic') });
const totalRefused = z.discriminatedUnion('type', [belowInUse, staleTotal, notElastic]);

const unknownResource = { 404: problemAnswer('The controller has no such resource') };
const notDurable: Readonly<Record<number, Answer>> = {
  503: problemAnswer('The change could not be made durable, so it was not made'),
  507: problemAnswer('The disk is full, so the change was not made'),
};

export function controllerDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Controller',
    description:
      'What a scheduler’s master offers on premises: what is in use and what jobs wait for, totals of shared ' +
      'resources, leases, and a way to report what the licence server itself counts.',
    version: '1.0.0',
    ...signedCall,
    schemas: {
      Problem: problem,
      Time: isoTime,
      SiteName: siteName,
      ResourceName: resourceName,
      Identifier: identifier,
      SharedResources: sharedResources,
      SharedResource: sharedResource,
      RecentPeaks: recentPeaks,
      ObservedUse: observedUse,
      WaitingClass: waitingClass,
      TotalDocument: totalDocument,
      TotalApplied: totalApplied,
      BelowInUse: belowInUse,
      StaleTotal: staleTotal,
      NotElastic: notElastic,
      LeaseRequest: leaseRequest,
      LeaseGranted: leaseGranted,
      LeaseHeld: leaseHeld,
      ObservedReport: observedReport,
    },
    pathParameters: { name: resourceName, provider: identifier },
    operations: [
      {
        id: 'observe',
        method: 'get',
        path: '/v1/shared-resources',
        summary: 'What is in use, what is waited for, and the recent peaks',
        security: signedBy('site', 'provisioner', 'operator'),
        query: observeQuery,
        answers: { 200: { description: 'The site as it is now', content: json(sharedResources) }, ...callProblems },
      },
      {
        id: 'setTotal',
        method: 'put',
        path: '/v1/shared-resources/{name}/total',
        summary: 'Set the total of a resource',
        description:
          'Accepted only when its (epoch, sequence) is newer than that of all before, and never below what is in use. ' +
          'The same document again has the same answer. It is durable before it is answered.',
        security: signedBy('provisioner'),
        body: { type: 'application/jose', schema: signedTotal },
        answers: {
          200: { description: 'What is applied now', content: json(totalApplied) },
          ...bodyProblems,
          ...unknownResource,
          409: problemAnswer('Below what is in use, stale, or the resource is not elastic', totalRefused),
          415: problemAnswer('The body is not application/jose'),
          ...notDurable,
        },
      },
      {
        id: 'reportObserved',
        method: 'put',
        path: '/v1/shared-resources/{name}/observed',
        summary: 'Report what the licence server itself counts',
        description: 'A count that is older than the last one changes nothing.',
        security: signedBy('reporter'),
        body: json(observedReport),
        answers: { 204: { description: 'It is recorded' }, ...bodyProblems, ...unknownResource, ...notDurable },
      },
      {
        id: 'acquireLease',
        method: 'put',
        path: '/v1/provider-leases/{provider}',
        summary: 'Acquire or renew a lease',
        description: 'The epoch grows with each change of holder.',
        security: signedBy('site', 'provisioner'),
        body: json(leaseRequest),
        answers: {
          200: { description: 'The caller’s holder has the lease', content: json(leaseGranted) },
          ...bodyProblems,
          409: problemAnswer('Somebody else holds it', leaseHeld),
          ...notDurable,
        },
      },
    ],
  });
}
