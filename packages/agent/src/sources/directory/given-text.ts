import { MODEL_LIMITS } from '../../model/limits.ts';
import { type ParsedDocuments, parseDocuments } from '../../model/parse-documents.ts';

/**
 * Parses documents that came as text: as JSON if it begins like JSON and is JSON, else as YAML, of which JSON is a part.
 * `files:` has no meaning in them.
 */
export function parseGivenText(text: string, file: string): ParsedDocuments {
  if (Buffer.byteLength(text) > MODEL_LIMITS.documentBytesMax)
    throw new RangeError('a text beyond the limit of the API');
  if (/^\s*\{/u.test(text)) {
    const asJson = parseDocuments(text, { file, format: 'json', lists: null });
    if (asJson.extent !== 'none') return asJson;
  }
  return parseDocuments(text, { file, format: 'yaml', lists: null });
}
