import type { Locator, Page } from '@playwright/test';

/** The Signature lab: body, signature, key; one verdict. */
export class LabPage {
  readonly body: Locator;
  readonly signature: Locator;
  readonly verdict: Locator;
  readonly code: Locator;

  constructor(readonly page: Page) {
    this.body = page.getByRole('textbox', { name: 'Body, exactly as it was sent' });
    this.signature = page.getByRole('textbox', { name: 'Signature as received' });
    this.verdict = page.getByRole('region', { name: 'Verdict' });
    this.code = page.getByRole('region', { name: 'Signing code' });
  }

  async fill(inputs: { body: string; signature: string; publicKeyPem: string }): Promise<void> {
    await this.body.fill(inputs.body);
    await this.page.getByRole('radio', { name: 'Paste' }).click();
    await this.page.getByRole('textbox', { name: 'Public key in PEM' }).fill(inputs.publicKeyPem);
    await this.signature.fill(inputs.signature);
  }
}
