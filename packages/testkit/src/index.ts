export { createFakeClock, type FakeClock } from './fake-clock.ts';
export { type ListedSetSketch, listedSets } from './listed-sets.ts';
