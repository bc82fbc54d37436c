//! Interning: every device function is made once and kept, and found by the type that represents it.

use crate::ir::function::Function;
use cl_core::{Error, Result};
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::{LazyLock, PoisonError, RwLock};

#[derive(Default)]
struct Known {
    by_key: HashMap<TypeId, &'static Function>,
    by_name: HashMap<String, &'static Function>,
}

static KNOWN: LazyLock<RwLock<Known>> = LazyLock::new(RwLock::default);

thread_local! {
    /// The functions that this thread is translating, each called by the one before it. Never dropped, so that
    /// destructors of other thread-locals can also call device functions. An empty list holds no memory.
    static TRANSLATING: ManuallyDrop<RefCell<Vec<TypeId>>> =
        const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

/// A guard that removes the last function from [`TRANSLATING`] when its translation ends or fails.
struct Translating;

impl Drop for Translating {
    fn drop(&mut self) {
        TRANSLATING.with(|functions| {
            let mut functions = functions.borrow_mut();
            functions.pop();
            if functions.is_empty() {
                *functions = Vec::new();
            }
        });
    }
}

/// Returns the key of a closure that is translated: the types that were inferred for its body, and the code that
/// returns its constants, which differs for each place in the text and each monomorphisation.
pub fn key<T: 'static, C: 'static>(_: &T, _: &C) -> TypeId {
    TypeId::of::<(T, C)>()
}

/// Returns the function of `key`, made by `make` on the first call.
///
/// # Errors
/// The errors of `make`; [`Error::InvalidInput`] if `make` asks for the same function again.
pub fn intern(key: TypeId, name: &str, make: impl FnOnce() -> Result<Function>) -> Result<&'static Function> {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).by_key.get(&key).copied();
    if let Some(function) = known {
        return Ok(function);
    }
    if TRANSLATING.with(|functions| functions.borrow().contains(&key)) {
        let reason = format!(
            "`{name}` calls itself, directly or through others, and devices have no stack: use a loop"
        );
        return Err(Error::invalid_input("device function", reason));
    }
    TRANSLATING.with(|functions| functions.borrow_mut().push(key));
    let translating = Translating;
    let function = make()?;
    drop(translating);
    let function = keep(function);
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).by_key.insert(key, function);
    Ok(function)
}

/// Returns the only function with this content. The name identifies the content.
pub(crate) fn keep(function: Function) -> &'static Function {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.by_name.get(&function.name) {
        return known;
    }
    let name = function.name.clone();
    // Leaked on purpose: there are only as many as the program's text has.
    let function: &'static Function = Box::leak(Box::new(function));
    known.by_name.insert(name, function);
    function
}
