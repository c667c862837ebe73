/**
 * Something that a person can mend: one sentence about what is wrong, one about what to do. Thrown anywhere below
 * `main.ts`, printed there without a stack. `exitCode` is 2 for a wrong command line, else 1.
 */
export class Sentence extends Error {
  readonly remedy: string;
  readonly exitCode: number;

  constructor(message: string, remedy: string, exitCode = 1) {
    super(message);
    this.name = 'Sentence';
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}
