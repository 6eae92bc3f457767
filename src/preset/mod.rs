//! Settings and the named policies (presets) that set them.
//!
//! A preset is a commented TOML file. Layers of TOML are merged key by key (preset, configuration, environment, flags),
//! then read once into [`Settings`], where nothing is optional that a stage needs. Unknown keys are errors.

mod layers;
mod settings;

pub use layers::{Layer, Merged, Origin, Preset, PresetError, merge, preset_layers, presets};
pub use settings::{
    Comparison, ContinuationRule, ContinuationSettings, CutBy, Estimate, Limits, Measure, MediaInTail, OutputSettings,
    OverflowSettings, Oversize, Place, PrunePolicy, PruneScope, PruneSettings, Retain, Settings, SplitSettings, Stages,
    SummarizerKind, SummarySettings, Thinking, Walk, When,
};
