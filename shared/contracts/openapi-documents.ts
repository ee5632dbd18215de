import { controllerDocument } from './openapi-controller.ts';
import { demandDocument } from './openapi-demand.ts';
import { providerDocument } from './openapi-provider.ts';
import { statusDocument } from './openapi-status.ts';
import type { OpenApiDocument } from './openapi.ts';

/** All contracts, by the name of their file in docs/openapi/. */
export const documents: Readonly<Record<string, () => OpenApiDocument>> = {
  controller: controllerDocument,
  demand: demandDocument,
  provider: providerDocument,
  status: statusDocument,
};

/** A document as its file holds it. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
