/** What an operator calls to stop borrowing, as OpenAPI: docs/openapi/freeze.json. */
import { identifier, isoTime, problem } from './common.ts';
import { freezeState } from './freeze.ts';
import { json, openApiDocument, type OpenApiDocument } from './openapi.ts';
import { bodyProblems, signedBy, signedCall } from './openapi-signed.ts';

export function freezeDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Freeze',
    description:
      'How an operator stops all borrowing of a site at once, and lets it go on. Every pass that begins after the answer ' +
      'heeds it, whatever restarts. Tokens in use stay, and what falls idle is returned as ever.',
    version: '1.0.0',
    ...signedCall,
    schemas: { Problem: problem, Time: isoTime, Identifier: identifier, Freeze: freezeState },
    pathParameters: {},
    operations: [
      {
        id: 'freeze',
        method: 'put',
        path: '/v1/freeze',
        summary: 'Borrow nothing more',
        security: signedBy('operator'),
        answers: { 200: { description: 'Frozen from now on', content: json(freezeState) }, ...bodyProblems },
      },
      {
        id: 'thaw',
        method: 'delete',
        path: '/v1/freeze',
        summary: 'Borrow again; nothing changes where nothing was frozen',
        security: signedBy('operator'),
        answers: { 204: { description: 'Not frozen' }, ...bodyProblems },
      },
    ],
  });
}
