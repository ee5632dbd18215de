import type { Instant } from '../shared/domain/model.ts';

/** What happened, in lines for people: who did what when, and why. */
export interface Story {
  note(at: Instant, who: string, what: () => string): void;
}

export const untold: Story = { note: () => {} };

export class ToldStory implements Story {
  readonly lines: string[] = [];

  note(at: Instant, who: string, what: () => string): void {
    this.lines.push(`${new Date(at).toISOString().slice(11, 23)}  ${who.padEnd(14)}  ${what()}`);
  }
}
