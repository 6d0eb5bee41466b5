// Runs in the head of every page, before anything is painted.
import { followTheme } from "./theme.ts";

followTheme();
