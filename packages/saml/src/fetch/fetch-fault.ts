/** Why a document could not be had. */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
}
