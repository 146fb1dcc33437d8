import { expect, type Locator, type Page } from '@playwright/test';

/** Keys and tokens: what the vault holds, and one entry in full. */
export class KeysPage {
  readonly detail: Locator;

  constructor(readonly page: Page) {
    this.detail = page.getByRole('region', { name: 'Details', exact: true });
  }

  row(name: string): Locator {
    return this.page.getByRole('listbox', { name: 'Keys and tokens' }).getByRole('option', { name }).first();
  }

  async choose(action: 'Generate a key…' | 'Import a key…' | 'Inspect any key'): Promise<void> {
    await this.page.getByRole('button', { name: 'New key' }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Fills in the import dialog and presses Import; what follows is the spec's. */
  async import(name: string, text: string): Promise<void> {
    await this.choose('Import a key…');
    const dialog = this.page.getByRole('dialog', { name: 'Import a key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Private key' }).fill(text);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  }

  async deleteKey(name: string): Promise<void> {
    await this.row(name).click();
    await this.detail.getByRole('button', { name: 'Delete…' }).click();
    await this.page.getByRole('textbox', { name: `Type ${name} to go on` }).fill(name);
    await this.page.getByRole('button', { name: 'Delete the key' }).click();
    await expect(this.row(name)).toHaveCount(0);
  }
}
