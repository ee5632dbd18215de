/** What a controller calls that can't be called itself, as OpenAPI: docs/openapi/relay.json. */
import { problem } from './common.ts';
import { json, openApiDocument, problemAnswer, type OpenApiDocument } from './openapi.ts';
import { callProblems, signedBy, signedCall } from './openapi-signed.ts';
import { maxRelayedAnswerBytes, relayedAnswer, relayedCallId, relayedCalls, relayQuery } from './relay.ts';

export function relayDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Relay',
    description:
      'How a controller that cannot be reached from outside takes part: it fetches the calls that the site would make ' +
      'to it, gives each to its own implementation of the controller contract, and brings the answer. A call that is ' +
      'lost on the way has an unknown outcome for its caller, as over HTTP.',
    version: '1.0.0',
    ...signedCall,
    schemas: { Problem: problem, RelayedCalls: relayedCalls, RelayedAnswer: relayedAnswer },
    pathParameters: { id: relayedCallId },
    operations: [
      {
        id: 'fetchCalls',
        method: 'get',
        path: '/v1/relay',
        summary: 'The calls that wait, each handed out once; answered as soon as there is one',
        security: signedBy('controller'),
        query: relayQuery,
        answers: {
          200: { description: 'Ten at the most; none where no call came within the wait', content: json(relayedCalls) },
          ...callProblems,
          409: problemAnswer('displaced: somebody has begun to fetch after this call; one process fetches for a site'),
        },
      },
      {
        id: 'answerCall',
        method: 'post',
        path: '/v1/relay/{id}',
        summary: 'The answer to a call that was handed out',
        security: signedBy('controller'),
        body: json(relayedAnswer),
        answers: {
          204: { description: 'Its caller gets it' },
          ...callProblems,
          404: problemAnswer('No call was handed out under this id'),
          409: problemAnswer('late: its caller waits no longer; answered: an earlier answer stands'),
          413: problemAnswer(`The body is longer than ${maxRelayedAnswerBytes} bytes; nothing was changed`),
        },
      },
    ],
  });
}
