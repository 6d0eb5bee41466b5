// The field of the navigation that chooses between light and dark.
import { chooseTheme, chosenTheme, THEMES, type Theme } from "./theme.ts";

const NAMES: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

export function ThemeChoice() {
  return (
    <select
      id="theme"
      aria-label="Light or dark"
      onChange={({ currentTarget }) => {
        const theme = THEMES.find((each) => each === currentTarget.value);
        if (theme) chooseTheme(theme);
      }}
    >
      {THEMES.map((each) => (
        <option key={each} value={each} selected={each === chosenTheme()}>
          {NAMES[each]}
        </option>
      ))}
    </select>
  );
}
