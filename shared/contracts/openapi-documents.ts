import { controllerDocument } from './openapi-controller.ts';
import { demandDocument } from './openapi-demand.ts';
import { freezeDocument } from './openapi-freeze.ts';
import { providerDocument } from './openapi-provider.ts';
import { relayDocument } from './openapi-relay.ts';
import { statusDocument } from './openapi-status.ts';
import type { OpenApiDocument } from './openapi.ts';

/** All contracts, by the name of their file in docs/openapi/. */
export const documents: Readonly<Record<string, () => OpenApiDocument>> = {
  controller: controllerDocument,
  demand: demandDocument,
  freeze: freezeDocument,
  provider: providerDocument,
  relay: relayDocument,
  status: statusDocument,
};

/** A document as its file holds it. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
