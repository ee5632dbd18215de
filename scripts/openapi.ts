/** Writes the OpenAPI documents to docs/openapi/. */
import { writeFile } from 'node:fs/promises';
import { documents, documentText } from '../shared/contracts/openapi-documents.ts';

for (const [name, document] of Object.entries(documents)) {
  await writeFile(new URL(`../docs/openapi/${name}.json`, import.meta.url), documentText(document()));
}
