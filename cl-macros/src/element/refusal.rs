//! Structs that cannot be elements, and the reasons.

use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DataStruct, DeriveInput, Error, Field, GenericParam, Ident, Meta, Result, Token, Type,
};

/// The layout that a struct promises.
pub(super) enum Layout {
    Transparent,
    C,
}

/// Returns the fields, at least one, of a struct whose shape allows it to be an element.
pub(super) fn fields(input: &DeriveInput) -> Result<Vec<&Field>> {
    let data = structure(&input.data)?;
    if let Some(parameter) = input.generics.params.first() {
        let reason = match parameter {
            GenericParam::Lifetime(_) => {
                "an element cannot borrow: nothing on the host is there on the device"
            }
            _ => "generic structs cannot be elements: each must be one known type on the device",
        };
        return Err(Error::new_spanned(parameter, reason));
    }
    if let Some(clause) = &input.generics.where_clause {
        return Err(Error::new_spanned(clause, "an element has no conditions: it is one known type"));
    }
    let fields: Vec<&Field> = data.fields.iter().collect();
    if fields.is_empty() {
        let reason = "a struct without a field has no bytes to send to a device";
        return Err(Error::new_spanned(&input.ident, reason));
    }
    fields.iter().try_for_each(|field| crosses(&field.ty))?;
    Ok(fields)
}

fn structure(data: &Data) -> Result<&DataStruct> {
    match data {
        Data::Struct(data) => Ok(data),
        Data::Enum(data) => Err(Error::new_spanned(
            data.enum_token,
            "enums cannot cross to a device: a kernel may write bytes that do not match any variant",
        )),
        Data::Union(data) => Err(Error::new_spanned(
            data.union_token,
            "unions cannot cross to a device: an element must have one type there",
        )),
    }
}

/// Returns an error for types that are visibly not elements. The compiler checks all others.
fn crosses(ty: &Type) -> Result<()> {
    let reason = match ty {
        Type::Reference(_) | Type::Ptr(_) => {
            "an element cannot point anywhere: nothing on the host is there on the device"
        }
        Type::Array(_) => {
            "arrays cannot be elements: write `Vector<T, N>`, whose N is 2, 3, 4, 8 or 16, or several fields"
        }
        Type::Tuple(_) => "tuples have no fixed layout: write a struct that is an element, or several fields",
        _ => return Ok(()),
    };
    Err(Error::new_spanned(ty, reason))
}

/// Returns the layout that the `repr` attributes promise.
pub(super) fn layout(input: &DeriveInput, fields: &[&Field]) -> Result<Layout> {
    let mut layout = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        for hint in hints(attribute)? {
            let path = hint.path();
            if path.is_ident("transparent") {
                layout = Some(Layout::Transparent);
            } else if path.is_ident("C") {
                layout = Some(Layout::C);
            } else {
                let reason = "an element is #[repr(C)] or #[repr(transparent)] and nothing else: its fields lie \
                              where C puts them on the device";
                return Err(Error::new_spanned(hint, reason));
            }
        }
    }
    match (layout, fields) {
        (Some(Layout::Transparent), [_, second, ..]) => Err(Error::new_spanned(
            second,
            "a transparent element has one field: structs of several are #[repr(C)]",
        )),
        (Some(layout), _) => Ok(layout),
        (None, [_]) => Err(Error::new_spanned(
            &input.ident,
            "an element needs #[repr(transparent)], to be on the device what its field is, or #[repr(C)], to be \
             a struct there",
        )),
        (None, _) => Err(Error::new_spanned(
            &input.ident,
            "an element needs #[repr(C)]: its fields must lie where C puts them on the device",
        )),
    }
}

fn hints(attribute: &Attribute) -> Result<Vec<Meta>> {
    let hints = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    Ok(hints.into_iter().collect())
}

/// Returns an error for a field name that OpenCL C does not allow. On the device, names get the prefix
/// `field_`.
pub(super) fn name(name: &Ident) -> Result<()> {
    let text = name.to_string();
    if text.is_ascii() {
        return Ok(());
    }
    Err(Error::new_spanned(name, "the name is part of the field's on the device, where C wants ASCII"))
}
