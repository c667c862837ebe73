/** Wakes one sleeper; a ring while nobody sleeps is kept for the next. */
export interface Bell {
  ring(): void;
  rung(): Promise<void>;
}

/** Makes a bell that has not been rung. */
export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async rung() {
      if (!isRung)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isRung = false;
    },
  };
}
