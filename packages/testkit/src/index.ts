export { type ListedSetSketch, listedSets } from './listed-sets.ts';
