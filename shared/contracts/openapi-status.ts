/** The status API as OpenAPI: docs/openapi/status.json. */
import * as z from 'zod';
import { identifier, isoTime, problem, resourceName, siteName } from './common.ts';
import { freezeState } from './freeze.ts';
import { json, openApiDocument, problemAnswer, type Answer, type OpenApiDocument, type Operation } from './openapi.ts';
import { grantTerms, offer } from './provider.ts';
import { change, historyEntry, historyPage, historyQuery, totals, totalsQuery, totalStep } from './status-history.ts';
import {
  controllerFigures,
  controllerState,
  grantStatus,
  health,
  ledgerFigures,
  openGrants,
  providerList,
  providerStatus,
  resourceList,
  resourceStatus,
  siteSummary,
} from './status.ts';

const headers = {
  ETag: { description: 'Send it as If-None-Match to be answered only what has changed', schema: { type: 'string' } },
};

/** An operation that reads, with the answers that each of them may give. */
function reading(
  operation: Omit<Operation, 'method' | 'answers'>,
  schema: z.ZodType,
  problems: Readonly<Record<number, Answer>> = {},
): Operation {
  return {
    ...operation,
    method: 'get',
    answers: {
      200: { description: 'As it is now', headers, content: json(schema) },
      304: { description: 'Nothing has changed since the answer with this ETag', headers },
      ...problems,
      500: problemAnswer('An unexpected error'),
      503: problemAnswer('The ledger cannot be read now'),
    },
  };
}

const badQuery = { 400: problemAnswer('A query parameter is wrong; the detail names it') };
const unknownResource = { 404: problemAnswer('The site has no such resource') };

export function statusDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Status',
    description:
      'What people and tools see of a site: total, owned, borrowed and in use of each shared resource, each group of ' +
      'numbers with its age, and how they came about. It only reads.',
    version: '1.0.0',
    security: [{ awsSignature: [] }, {}],
    securitySchemes: {
      awsSignature: {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        'x-amazon-apigateway-authtype': 'awsSigv4',
        description: 'AWS Signature Version 4, where API Gateway serves it; a run on one machine asks for none',
      },
    },
    schemas: {
      Problem: problem,
      Time: isoTime,
      SiteName: siteName,
      ResourceName: resourceName,
      Identifier: identifier,
      SiteSummary: siteSummary,
      ControllerState: controllerState,
      Freeze: freezeState,
      ResourceList: resourceList,
      ResourceStatus: resourceStatus,
      LedgerFigures: ledgerFigures,
      ControllerFigures: controllerFigures,
      OpenGrants: openGrants,
      GrantStatus: grantStatus,
      GrantTerms: grantTerms,
      HistoryPage: historyPage,
      HistoryEntry: historyEntry,
      Change: change,
      Totals: totals,
      TotalStep: totalStep,
      ProviderList: providerList,
      ProviderStatus: providerStatus,
      Offer: offer,
      Health: health,
    },
    pathParameters: { name: resourceName },
    operations: [
      reading({ id: 'site', path: '/v1/site', summary: 'What the site consists of' }, siteSummary),
      reading({ id: 'resources', path: '/v1/resources', summary: 'All shared resources' }, resourceList),
      reading(
        { id: 'resource', path: '/v1/resources/{name}', summary: 'One shared resource' },
        resourceStatus,
        unknownResource,
      ),
      reading(
        { id: 'grants', path: '/v1/resources/{name}/grants', summary: 'The open grants of a resource' },
        openGrants,
        unknownResource,
      ),
      reading(
        {
          id: 'history',
          path: '/v1/resources/{name}/history',
          summary: 'All that happened to a resource, with the reasons',
          query: historyQuery,
        },
        historyPage,
        { ...badQuery, ...unknownResource },
      ),
      reading(
        {
          id: 'totals',
          path: '/v1/resources/{name}/totals',
          summary: 'The totals of a resource over time',
          query: totalsQuery,
        },
        totals,
        { ...badQuery, ...unknownResource },
      ),
      reading(
        { id: 'providers', path: '/v1/providers', summary: 'The providers and what they have lent' },
        providerList,
      ),
      reading({ id: 'health', path: '/v1/health', summary: 'Whether all is well' }, health),
      reading(
        { id: 'openapi', path: '/v1/openapi.json', summary: 'This document' },
        z.looseObject({ openapi: z.literal('3.1.0') }),
      ),
    ],
  });
}
