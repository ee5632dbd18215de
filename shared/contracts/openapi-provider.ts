/** The provider contract as OpenAPI: docs/openapi/provider.json. */
import * as z from 'zod';
import { identifier, isoTime, problem, resourceName, seconds, siteName } from './common.ts';
import { bodyProblems, callProblems, signedBy, signedCall } from './openapi-signed.ts';
import { json, openApiDocument, problemAnswer, type OpenApiDocument } from './openapi.ts';
import {
  description,
  grant,
  grantList,
  grantRequest,
  grantTerms,
  offer,
  recallRequest,
  renewAnswer,
  returnAnswer,
  returnRequest,
} from './provider.ts';

const refusal = problem.extend({
  retryAfterSeconds: seconds.optional().describe('After this the same call may succeed'),
});

const unknownGrant = { 404: problemAnswer('The site has no grant under this id') };
const busy = { 503: problemAnswer('Too many calls at once; the same call may be tried again') };

export function providerDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Provider',
    description: 'What lends tokens to sites. A provider describes itself, so that it can be used without being known.',
    version: '1.0.0',
    ...signedCall,
    security: signedBy('site'),
    schemas: {
      Problem: problem,
      Refusal: refusal,
      Time: isoTime,
      SiteName: siteName,
      ResourceName: resourceName,
      Identifier: identifier,
      Description: description,
      Offer: offer,
      GrantTerms: grantTerms,
      GrantRequest: grantRequest,
      Grant: grant,
      GrantList: grantList,
      ReturnRequest: returnRequest,
      ReturnAnswer: returnAnswer,
      RenewAnswer: renewAnswer,
      RecallRequest: recallRequest,
    },
    pathParameters: { id: identifier },
    operations: [
      {
        id: 'describe',
        method: 'get',
        path: '/v1/describe',
        summary: 'What the provider lends, and on which terms',
        answers: { 200: { description: 'Its description', content: json(description) }, ...callProblems },
      },
      {
        id: 'listGrants',
        method: 'get',
        path: '/v1/grants',
        summary: 'The grants of a site: all open ones, and those that ended lately',
        query: z.object({ site: siteName }),
        answers: { 200: { description: 'The grants', content: json(grantList) }, ...callProblems },
      },
      {
        id: 'requestGrant',
        method: 'put',
        path: '/v1/grants/{id}',
        summary: 'Ask for tokens',
        description:
          'The caller makes the id. The same id and body make one grant, and the answer is how it stands now: ' +
          'granted (perhaps fewer than asked), pending (ask again with the same id), refused, or ended.',
        body: json(grantRequest),
        answers: {
          200: { description: 'How the grant stands', content: json(grant) },
          ...bodyProblems,
          404: problemAnswer('The provider does not lend this resource'),
          409: problemAnswer('The id stands for another request', refusal),
          ...busy,
        },
      },
      {
        id: 'getGrant',
        method: 'get',
        path: '/v1/grants/{id}',
        summary: 'One grant',
        answers: {
          200: { description: 'How the grant stands', content: json(grant) },
          ...callProblems,
          ...unknownGrant,
          ...busy,
        },
      },
      {
        id: 'returnTokens',
        method: 'post',
        path: '/v1/grants/{id}/return',
        summary: 'Give tokens back',
        description:
          'The same return id twice is one return. Of an id that the provider has never seen nothing is lent, now and ' +
          'later: a request under it that arrives afterwards is answered as ended.',
        body: json(returnRequest),
        answers: {
          200: { description: 'What is still lent under this grant', content: json(returnAnswer) },
          ...bodyProblems,
          ...unknownGrant,
          409: problemAnswer('Not possible as things stand: too early, too many, or not in whole blocks', refusal),
          ...busy,
        },
      },
      {
        id: 'renewGrant',
        method: 'post',
        path: '/v1/grants/{id}/renew',
        summary: 'Begin the lease of a grant anew',
        answers: {
          200: { description: 'How long it lasts from now', content: json(renewAnswer) },
          ...callProblems,
          ...unknownGrant,
          409: problemAnswer('Nothing is lent, the grant has no lease, or it is recalled', refusal),
          ...busy,
        },
      },
      {
        id: 'recallGrant',
        method: 'post',
        path: '/v1/grants/{id}/recall',
        summary: 'Ask the site for the tokens of a grant',
        description:
          'The tokens stay lent until the site gives them back, as they fall idle, or the lease ends. Until then the ' +
          'site borrows nothing more here. The time of a later recall replaces that of an earlier one.',
        security: signedBy('operator'),
        body: json(recallRequest),
        answers: {
          200: { description: 'How the grant stands', content: json(grant) },
          ...bodyProblems,
          404: problemAnswer('There is no grant under this id'),
          409: problemAnswer('Nothing is lent under this id now', refusal),
          ...busy,
        },
      },
    ],
  });
}
