/** A binary heap: gives the first of its items by `before`, at O(log n) a change. Equal items come in any order. */
export class Heap<T extends object> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean, items: Iterable<T> = []) {
    this.#before = before;
    for (const item of items) this.push(item);
  }

  get size(): number {
    return this.#items.length;
  }

  /** In no order. */
  get items(): readonly T[] {
    return this.#items;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = items[parentIndex];
      if (parent === undefined || !this.#before(item, parent)) break;
      items[index] = parent;
      index = parentIndex;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts `item` in at the root and moves it down to its place. */
  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const leftIndex = 2 * index + 1;
      const left = items[leftIndex];
      const right = items[leftIndex + 1];
      if (left === undefined) break;
      const isRightFirst = right !== undefined && this.#before(right, left);
      const child = isRightFirst ? right : left;
      if (!this.#before(child, item)) break;
      items[index] = child;
      index = isRightFirst ? leftIndex + 1 : leftIndex;
    }
    items[index] = item;
  }
}
