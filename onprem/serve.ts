import { takeDirectory } from '../shared/adapters/take-directory.ts';
import { listen, type Tls } from '../shared/adapters/http/listen.ts';

/** Where a controller listens and keeps its journal. */
export interface ServeOptions {
  /** Where the journal is kept, for one process at a time. */
  readonly directory: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: plain HTTP. */
  readonly tls?: Tls;
}

/** A controller as it stands behind a server. */
export interface Served {
  answer(request: Request, env: object): Response | Promise<Response>;
  close(): void | Promise<void>;
}

/**
 * Listens, then takes the directory, then loads what answers from it; calls before that are answered 503. `close`
 * resolves when calls under way are answered and what was loaded is closed; it may be called twice. Throws `PortInUse`,
 * `DirectoryInUse`, `DirectoryUnusable` and what `load` throws.
 */
export async function serve<S extends Served>(
  { directory, host, port, tls }: ServeOptions,
  load: () => S | Promise<S>,
): Promise<{ url: string; served: S; close(): Promise<void> }> {
  let loaded: S | undefined;
  const server = await listen(
    { fetch: (request, env) => loaded?.answer(request, env) ?? new Response(null, { status: 503 }) },
    port,
    host,
    tls,
  );
  const undo: (() => void | Promise<void>)[] = [() => server.close()];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0)) await step();
  };
  try {
    // A second controller that is started by mistake must not touch the journal, so the directory is taken first.
    const letGo = await takeDirectory(directory);
    undo.push(letGo);
    const served = await load();
    undo.splice(1, 0, () => served.close());
    loaded = served;
    let closed: Promise<void> | undefined;
    return { url: server.url, served, close: () => (closed ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}
