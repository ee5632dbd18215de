import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Lambda unpacks layers into this folder. */
const mountedAt = '/opt';

/**
 * A JSON document beside the code of functions. It is a layer, so that the code is the same file for every stack of a
 * fleet, and is uploaded once.
 */
export class DocumentLayer extends LayerVersion {
  /** Where the functions find it. */
  readonly path: string;

  constructor(scope: Construct, id: string, fileName: string, document: unknown) {
    const folder = mkdtempSync(join(tmpdir(), 'esr-layer-'));
    try {
      writeFileSync(join(folder, fileName), JSON.stringify(document));
      super(scope, id, {
        code: Code.fromAsset(folder),
        compatibleArchitectures: [Architecture.ARM_64],
        compatibleRuntimes: [Runtime.NODEJS_24_X],
      });
    } finally {
      // It has been copied into the cloud assembly by now.
      rmSync(folder, { recursive: true });
    }
    this.path = `${mountedAt}/${fileName}`;
  }
}
