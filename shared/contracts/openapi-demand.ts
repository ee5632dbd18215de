/** What the controller calls when jobs begin to wait, as OpenAPI: docs/openapi/demand.json. */
import { problem, siteName } from './common.ts';
import { demandAnswer, demandCall } from './demand.ts';
import { json, openApiDocument, type OpenApiDocument } from './openapi.ts';
import { bodyProblems, signedBy, signedCall } from './openapi-signed.ts';

export function demandDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Demand',
    description:
      'How a controller tells the site that jobs have begun to wait, so that borrowing does not wait for the minute. ' +
      'A call that is lost delays and never breaks.',
    version: '1.0.0',
    ...signedCall,
    schemas: { Problem: problem, SiteName: siteName, DemandCall: demandCall, DemandAnswer: demandAnswer },
    pathParameters: {},
    operations: [
      {
        id: 'announceDemand',
        method: 'post',
        path: '/v1/demand',
        summary: 'Jobs have begun to wait: look at the site now',
        security: signedBy('controller'),
        body: json(demandCall),
        answers: { 202: { description: 'Heard', content: json(demandAnswer) }, ...bodyProblems },
      },
    ],
  });
}
