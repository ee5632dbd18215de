/** A provider did not say what it was asked. Nothing was to be changed by the question, so it may be asked again. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;

  constructor(provider: string, question: string, fault: string, options?: ErrorOptions) {
    super(`asking provider ${provider} for ${question}: ${fault}`, options);
    this.provider = provider;
  }
}
