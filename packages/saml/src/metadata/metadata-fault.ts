/** Why metadata cannot be used; completes "the metadata of …: ". */
export class MetadataFault extends Error {
  override readonly name = 'MetadataFault';
}
