import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { motoPython } from '../adapters/provider/moto.ts';
import type { Aws } from './aws.ts';
import { run } from './run.ts';

/** The archives that the CDK command has uploaded, by the digest that Lambda tells of its code. */
export class Artefacts {
  readonly #archives: ReadonlyMap<string, Buffer>;
  readonly #folder: string;

  private constructor(archives: ReadonlyMap<string, Buffer>, folder: string) {
    this.#archives = archives;
    this.#folder = folder;
  }

  static async read(aws: Aws, bucket: string, folder: string): Promise<Artefacts> {
    const archives = await aws.objects(bucket);
    const digest = (archive: Buffer) => createHash('sha256').update(archive).digest('base64');
    return new Artefacts(new Map(archives.map((archive) => [digest(archive), archive])), folder);
  }

  /** Answers the folder. */
  async unpack(name: string, digests: readonly string[]): Promise<string> {
    const folder = join(this.#folder, name);
    await mkdir(folder);
    for (const digest of digests) {
      const archive = this.#archives.get(digest);
      if (archive === undefined) throw new Error(`unpacking ${name}: nothing with the digest ${digest} was uploaded`);
      await writeFile(`${folder}.zip`, archive);
      await run(motoPython, ['-m', 'zipfile', '-e', `${folder}.zip`, folder]);
    }
    return folder;
  }
}
