import { expect, type Locator, type Page } from '@playwright/test';

export const viewNames = [
  'Requests',
  'Inbox',
  'Payments',
  'Lookups',
  'Balances',
  'Signature lab',
  'Sandbox',
  'Your backend',
  'Keys and tokens',
  'History',
  'Environments',
  'Settings',
] as const;
export type ViewName = (typeof viewNames)[number];

/** What surrounds every view, and the two small forms that most specs pass through. */
export class Shell {
  readonly status: Locator;
  readonly main: Locator;

  constructor(readonly page: Page) {
    this.status = page.locator('footer[data-pane="status"]');
    this.main = page.getByRole('main');
  }

  async open(view: ViewName): Promise<void> {
    const link = this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: view, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
  }

  /** Waits until no grey lines stand in for what is being read. */
  async waitUntilShown(): Promise<void> {
    await expect(this.main.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await this.page.evaluate(() => document.fonts.ready.then(() => undefined));
  }

  /** The row of one wallet, in the table of all products. */
  wallet(product: 'Remittance' | 'Payout' | 'Collection', currency: string): Locator {
    return this.page
      .getByRole('rowgroup', { name: product })
      .getByRole('row', { name: new RegExp(`^${currency}\\b`) });
  }

  /** Asks for the balances and reads what is available in a wallet. */
  async readBalance(product: 'Remittance' | 'Payout' | 'Collection', currency: string): Promise<number> {
    const asked = this.main.locator('form').getByRole('button', { name: 'Read now', exact: true });
    await expect(asked).toBeEnabled();
    await asked.click();
    await expect(asked).toBeEnabled();
    const text = await this.wallet(product, currency).getByRole('cell').first().textContent();
    return Number(text!.replace(/[^\d.-]/g, ''));
  }

  async queryStatus(product: 'Remittance' | 'Payout' | 'Collection', reference: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Reference' }).fill(reference);
    await this.page.getByRole('button', { name: /Token of product/ }).click();
    await this.page.getByRole('option', { name: product, exact: true }).click();
    await this.page.getByRole('button', { name: 'Query', exact: true }).click();
  }
}
