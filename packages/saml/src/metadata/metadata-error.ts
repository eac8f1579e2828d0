/** Metadata that cannot be used. The message continues the words "the metadata: ". */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
}
