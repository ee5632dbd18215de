import { Hono } from 'hono';
import { listen } from '../../shared/adapters/http/server.ts';
import type { FunctionInstance } from './function-instance.ts';

/** Lambda where functions run as processes: each has one instance. */
export class Lambda {
  /** Of `POST /2015-03-31/functions/{ARN}/invocations`, asynchronous. */
  readonly url: string;
  /** Of the asynchronous invocations, those that have failed. */
  readonly failures: string[] = [];
  readonly #functions: Map<string, FunctionInstance>;
  readonly #server: { close(): Promise<void> };

  private constructor(functions: Map<string, FunctionInstance>, server: { url: string; close(): Promise<void> }) {
    this.#functions = functions;
    this.#server = server;
    this.url = server.url;
  }

  static async start(): Promise<Lambda> {
    const app = new Hono();
    const server = await listen(app, 0, '127.0.0.1');
    const lambda = new Lambda(new Map(), server);
    app.post('/2015-03-31/functions/:arn/invocations', async (c) => {
      lambda.notify(c.req.param('arn'), await c.req.json());
      return c.body(null, 202);
    });
    return lambda;
  }

  /** From now on the function can be invoked. */
  add(arn: string, instance: FunctionInstance): void {
    this.#functions.set(arn, instance);
  }

  /** Throws what the function throws. */
  async invoke(arn: string, event: unknown): Promise<unknown> {
    const instance = this.#functions.get(arn);
    if (instance === undefined) throw new Error(`invoking ${arn}: there is no such function`);
    return instance.invoke(event);
  }

  /** An asynchronous invocation, whose outcome nobody waits for. */
  notify(arn: string, event: unknown): void {
    void this.invoke(arn, event).catch((error: unknown) => this.failures.push(`${arn}: ${String(error)}`));
  }

  async close(): Promise<void> {
    await this.#server.close();
    for (const instance of this.#functions.values()) await instance.end();
  }
}
