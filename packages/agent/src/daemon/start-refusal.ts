/** Why an agent does not start, in one sentence for the operator. The program says it and ends with status 1. */
export class StartRefusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartRefusal';
  }
}
