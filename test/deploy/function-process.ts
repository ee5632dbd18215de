/** A function's instance, run by the Node of the functions: answers each event with what the handler makes of it. */
import { pathToFileURL } from 'node:url';
import type { Handler } from '../../functions/host.ts';

interface Artefact {
  readonly handler: Handler;
}

const { handler }: Artefact = await import(pathToFileURL(process.argv[2] ?? '').href);
process.on('message', (event) => {
  handler(event).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.send?.({ version: process.version });
