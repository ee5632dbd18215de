/** One of several processes that run seeds: batches come in as messages, what they came to goes out. */
import { runBatch, type Batch } from './batch.ts';

/** A batch, and whether its first break ends it. */
export interface Order extends Batch {
  readonly untilBroken: boolean;
}

process.on('message', (order: Order) => {
  void runBatch(order, order.untilBroken).then((result) => process.send?.(result));
});
